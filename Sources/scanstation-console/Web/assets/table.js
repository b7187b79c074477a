// A table that a phone can show: there each row is a small card, whose cells have their titles above them.

import { h } from "./dom.js";
import { settle } from "./settle.js";

/**
 * The roles are those that a table has anyway: browsers forget them where its rows are no table rows any more.
 * @param {string} label
 * @param {string[]} titles of the columns
 * @param {Array<Array>} rows each with as many cells: what is in it, or `{head: …}` for the one that names the row
 * @returns {{element: HTMLElement, fill: function(Array<Array>)}}
 */
export function stackingTable(label, titles, rows) {
  const body = h("tbody", { role: "rowgroup" });
  const element = h("div", { class: "table-holder", tabindex: 0, role: "region", "aria-label": label },
    h("table", { class: "stacks", role: "table", "aria-label": label },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, titles.map((title) => h("th", { scope: "col", role: "columnheader" }, title)))), body));
  const cell = (content, title) => (content?.head !== undefined ? h("th", { scope: "row", role: "rowheader" }, content.head)
    : h("td", { role: "cell", "data-title": title, class: content?.look }, content?.look ? content.what : content));
  const fill = (next) => settle(body, next.map((row) => h("tr", { role: "row" }, row.map((content, column) => cell(content, titles[column])))));
  fill(rows);
  return { element, fill };
}
