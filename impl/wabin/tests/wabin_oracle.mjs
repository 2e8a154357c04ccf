// SPDX-License-Identifier: MIT
// What two other implementations make of nodes and frames.
//
// usage: node wabin_oracle.mjs FOLDER < lines > lines
//
// FOLDER has the unpacked npm packages baileys and whatsapp-rust-bridge.  Each
// line in is {"node": NODE, "frame": HEX}; each line out has, for either
// peer, {"encoded": HEX of the node, "decoded": NODE of the frame}, with null
// for what it refuses.  A NODE is
// {tag, attrs: [[key, value], ...], content: null | {bytes: HEX} | {text} |
// {nodes: [NODE, ...]}}.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const folder = pathToFileURL(resolve(process.argv[2]) + "/");
const load = (path) => import(new URL(path, folder));
const { encodeBinaryNode } = await load("baileys/lib/WABinary/encode.js");
const { decodeDecompressedBinaryNode } = await load(
  "baileys/lib/WABinary/decode.js");
const constants = await load("baileys/lib/WABinary/constants.js");
const bridge = await load("whatsapp-rust-bridge/dist/index.js");

const peers = {
  baileys: {
    encode: (node) => encodeBinaryNode(node),
    decode: (frame) => decodeDecompressedBinaryNode(frame.subarray(1),
                                                    constants),
  },
  bridge: {
    encode: (node) => Buffer.from(bridge.encodeNode(node)),
    decode: (frame) => bridge.decodeNode(frame),
  },
};

function toPeer({ tag, attrs, content }) {
  const node = { tag, attrs: Object.fromEntries(attrs) };
  if (content?.bytes !== undefined)
    node.content = Buffer.from(content.bytes, "hex");
  else if (content?.text !== undefined)
    node.content = content.text;
  else if (content?.nodes !== undefined)
    node.content = content.nodes.map(toPeer);
  return node;
}

function contentFrom(content) {
  if (content === undefined || content === null)
    return null;
  if (typeof content === "string")
    return { text: content };
  if (Array.isArray(content))
    return { nodes: content.map(fromPeer) };
  return { bytes: Buffer.from(content).toString("hex") };
}

function fromPeer(node) {
  return {
    tag: node.tag,
    attrs: Object.entries(node.attrs),
    content: contentFrom(node.content),
  };
}

function attempt(action) {
  try {
    return action();
  } catch {
    return null;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { node, frame } = JSON.parse(line);
  const answer = {};
  for (const [name, peer] of Object.entries(peers)) {
    answer[name] = {
      encoded: attempt(() => peer.encode(toPeer(node)).toString("hex")),
      decoded: attempt(() => fromPeer(peer.decode(Buffer.from(frame, "hex")))),
    };
  }
  console.log(JSON.stringify(answer));
}
