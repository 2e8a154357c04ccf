"use strict";
for (const table of document.querySelectorAll(".sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => head.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") !== "descending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = (row) => row.cells[at].dataset.sort ??
      row.cells[at].textContent.trim();
    const compare = (a, b) => isNaN(key(a)) || isNaN(key(b)) ?
      key(b).localeCompare(key(a)) : key(b) - key(a);
    const rows = [...body.rows].sort(compare);
    body.append(...(down ? rows : rows.reverse()));
  }));
}
