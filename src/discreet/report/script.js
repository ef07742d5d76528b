"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const FEW = 40;
  const PAPER = 150;

  const make = (tag, names, ...held) => {
    const made = document.createElement(tag);
    for (const [name, said] of Object.entries(names || {})) {
      if (said !== undefined && said !== null && said !== false) made.setAttribute(name, said);
    }
    made.append(...held.filter((part) => part !== null && part !== undefined));
    return made;
  };
  const drawn = (tag, names) => {
    const made = document.createElementNS(SVG, tag);
    for (const [name, said] of Object.entries(names)) made.setAttribute(name, said);
    return made;
  };
  const grouped = (text) => (/^-?\d{4,}(\.\d+)?$/.test(text) ? text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ",")) : text);
  const count = (number) => number.toLocaleString("en");

  const blocks = {
    text: (block) => make("p", {}, block.text),
    points: (block) => make("ul", { class: "points" }, ...block.items.map((item) => make("li", {}, item))),
    facts: (block) =>
      make("dl", { class: "facts" }, ...block.rows.flatMap(([name, said]) => [make("dt", {}, name), make("dd", {}, said)])),
    columns: (block) => make("div", { class: "columns" }, ...block.blocks.map(show)),
    grid: (block) => {
      const head = make("tr", {}, ...block.head.map((text) => make("th", { scope: "col" }, text)));
      const body = block.rows.map(([name, ...said]) =>
        make("tr", {}, make("th", { scope: "row" }, name), ...said.map((text) => make("td", {}, text))));
      const table = make("table", { class: "grid" }, make("thead", {}, head), make("tbody", {}, ...body));
      return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Numbers" }, table);
    },
    bars: (block) => {
      const wide = block.rows.some((row) => row.name.length > 22);
      const lone = block.series.length === 1;
      const used = block.series.map((_, k) => block.rows.some((row) => row.parts[k] > 0));
      const rows = block.rows.map((row) =>
        make("div", { class: "row" }, make("span", {}, row.name), bar(row, block.tones), make("span", {}, row.text)));
      const legend = block.series.map((name, k) =>
        used[k] ? make("li", {}, make("i", { class: "s" + block.tones[k] }), name) : null);
      return make("div", { class: wide ? "bars wide" : "bars" }, make("h3", {}, block.title), ...rows,
        lone || !used.some(Boolean) ? null : make("ul", { class: "legend" }, ...legend.filter(Boolean)));
    },
  };
  const show = (block) => blocks[block.kind](block);

  function bar(row, tones) {
    const picture = drawn("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img" });
    picture.setAttribute("aria-label", row.name + ": " + row.text);
    let from = 0;
    row.parts.forEach((part, k) => {
      if (part > 0) picture.append(drawn("rect", { class: "s" + tones[k], x: from, y: 0, width: 100 * part, height: 10 }));
      from += 100 * part;
    });
    return picture;
  }

  function dimension(axis) {
    const above = [], path = [];
    axis.level.forEach((level, place) => {
      while (path.length && axis.level[path[path.length - 1]] >= level) path.pop();
      above.push(path.length ? path[path.length - 1] : -1);
      path.push(place);
    });
    const parents = new Set(above);
    const depth = Math.max(0, ...axis.level);
    const folded = new Set();
    const foldTo = (level) => {
      folded.clear();
      axis.level.forEach((here, place) => { if (here >= level && parents.has(place)) folded.add(place); });
    };
    let start = depth;
    const upTo = (level) => axis.level.filter((here) => here <= level).length;
    while (start > 1 && upTo(start) > FEW) start -= 1;
    foldTo(start);
    const shown = () => {
      const hidden = new Set(), visible = [];
      above.forEach((parent, place) => {
        if (parent >= 0 && (hidden.has(parent) || folded.has(parent))) hidden.add(place);
        else visible.push(place);
      });
      return visible;
    };
    return { ...axis, parents, depth, folded, foldTo, shown };
  }

  function tableView(table) {
    const axes = table.axes.map(dimension);
    const cellAt = new Map();
    for (let i = 0; i < table.value.length; i++) cellAt.set(table.code.map((column) => column[i]).join(), i);
    const exposed = new Set(table.exposed);
    const crossed = axes.length > 1;
    const view = { down: 0, across: 1, fixed: axes.map(() => 0), asReaders: false };
    const frame = make("div", { class: "frame", tabindex: 0, role: "region", "aria-label": "The table" });
    const paper = make("div", { class: "paper" });
    const tools = make("div", { class: "tools" });
    const details = make("div", { class: "details", role: "status", hidden: "" });

    const place = (row, column) => {
      const code = view.fixed.slice();
      code[view.down] = row;
      if (crossed) code[view.across] = column;
      return cellAt.get(code.join());
    };
    const textOf = (cell) => grouped((view.asReaders && table.seen[cell]) || table.value[cell]);
    const named = (axis, code) => (axis.label.length && axis.label[code]) || "";

    function heading(axis, code, scope) {
      const children = axis.parents.has(code);
      const open = !axis.folded.has(code);
      const long = named(axis, code);
      let toggle = make("span", { class: "nofold" });
      if (children) {
        const said = (open ? "Fold " : "Unfold ") + axis.code[code];
        toggle = make("button", { class: "fold", type: "button", "aria-expanded": String(open), "aria-label": said }, open ? "▾" : "▸");
        toggle.dataset.key = scope + code;
        toggle.addEventListener("click", () => {
          if (!axis.folded.delete(code)) axis.folded.add(code);
          refresh();
          const again = frame.querySelector(`[data-key="${scope}${code}"]`);
          if (again) again.focus();
        });
      }
      const held = make("th", { scope, class: axis.level[code] === 0 ? "top" : null, title: axis.code[code] + (long ? ": " + long : "") },
        toggle, axis.code[code], long ? make("small", {}, long) : null);
      if (scope === "row") held.style.paddingLeft = 0.4 + 0.95 * axis.level[code] + "rem";
      return held;
    }

    function grid(rows, columns) {
      const down = axes[view.down], across = axes[view.across];
      const corner = make("th", { scope: "col" }, crossed ? down.name + " \\ " + across.name : down.name);
      const head = make("tr", {}, corner, ...columns.map((column) => (crossed ? heading(across, column, "col") : make("th", { scope: "col" }, table.measure))));
      const body = make("tbody");
      for (const row of rows) {
        const line = make("tr", {}, heading(down, row, "row"));
        for (const column of columns) line.append(cellOf(place(row, column), down.level[row] === 0 || (crossed && across.level[column] === 0)));
        body.append(line);
      }
      return make("table", { class: "cells" }, make("thead", {}, head), body);
    }

    function cellOf(cell, top) {
      if (cell === undefined) return make("td", { class: "none" });
      const held = document.createElement("td");
      held.textContent = textOf(cell);
      held.className = table.states[table.state[cell]].name + (top ? " top" : "") + (exposed.has(cell) ? " exposed" : "");
      held.tabIndex = -1;
      held.dataset.cell = cell;
      return held;
    }

    function refresh() {
      const columns = crossed ? axes[view.across].shown() : [0];
      frame.replaceChildren(grid(axes[view.down].shown(), columns));
      const first = frame.querySelector("td[data-cell]");
      if (first) first.tabIndex = 0;
    }

    function explain(cell) {
      const title = axes.map((axis, k) => {
        const code = table.code[k][cell], long = named(axis, code);
        return axis.name + " " + axis.code[code] + (long ? " (" + long + ")" : "");
      }).join(" · ");
      const rows = [[table.measure, grouped(table.value[cell])], ["status", table.states[table.state[cell]].text]];
      if (exposed.has(cell)) rows.push(["proof", "exposed: not proved to be protected"]);
      for (const detail of table.details) if (cell in detail.at) rows.push([detail.name, detail.at[cell]]);
      const close = make("button", { class: "close", type: "button", "aria-label": "Close" }, "✕");
      close.addEventListener("click", () => { details.hidden = true; });
      details.replaceChildren(close, make("h3", {}, title),
        make("dl", {}, ...rows.map(([name, said]) => make("div", {}, make("dt", {}, name), make("dd", {}, said)))));
      details.hidden = false;
    }

    frame.addEventListener("click", (event) => {
      const held = event.target.closest("td[data-cell]");
      if (held) { step(held); explain(Number(held.dataset.cell)); }
    });
    const step = (to) => {
      if (!to || to.dataset.cell === undefined) return;
      for (const old of frame.querySelectorAll('td[tabindex="0"]')) old.tabIndex = -1;
      to.tabIndex = 0;
      to.focus();
    };
    frame.addEventListener("keydown", (event) => {
      const held = event.target.closest("td[data-cell]");
      if (event.key === "Escape") details.hidden = true;
      if (!held) return;
      const line = held.parentElement, column = held.cellIndex;
      const to = {
        ArrowLeft: () => held.previousElementSibling, ArrowRight: () => held.nextElementSibling,
        ArrowUp: () => line.previousElementSibling && line.previousElementSibling.cells[column],
        ArrowDown: () => line.nextElementSibling && line.nextElementSibling.cells[column],
        Home: () => line.cells[1], End: () => line.cells[line.cells.length - 1],
      }[event.key];
      if (to) { event.preventDefault(); step(to()); }
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); explain(Number(held.dataset.cell)); }
    });

    function choice(name, options, chosen, change) {
      const box = make("select", {}, ...options.map(([key, text]) => make("option", { value: key }, text)));
      box.value = chosen;
      box.addEventListener("change", () => { change(Number(box.value)); equip(); refresh(); });
      return make("label", {}, name, box);
    }

    function levels(axis) {
      const group = make("span", { class: "group", role: "group", "aria-label": "Levels of " + axis.name }, axis.name + " to level");
      for (let level = 1; level <= axis.depth; level++) {
        const open = axis.shown().length === axis.level.filter((here) => here <= level).length;
        const button = make("button", { type: "button", "aria-pressed": String(open) }, String(level));
        button.addEventListener("click", () => { axis.foldTo(level); equip(); refresh(); });
        group.append(button);
      }
      return group;
    }

    function equip() {
      const held = [];
      if (axes.length > 2) {
        const names = axes.map((axis, k) => [k, axis.name]);
        const swap = (part, other) => (k) => {
          if (view[other] === k) view[other] = view[part];
          view.fixed[view[part]] = 0;
          view[part] = k;
        };
        held.push(choice("Rows", names, view.down, swap("down", "across")));
        held.push(choice("Columns", names, view.across, swap("across", "down")));
        axes.forEach((axis, k) => {
          if (k === view.down || k === view.across) return;
          const options = axis.code.map((code, c) => [c, "\u2003".repeat(axis.level[c]) + code + (named(axis, c) ? " " + named(axis, c) : "")]);
          held.push(choice(axis.name, options, view.fixed[k], (c) => { view.fixed[k] = c; }));
        });
      } else if (crossed) {
        const turn = make("button", { type: "button" }, "Turn");
        turn.addEventListener("click", () => { [view.down, view.across] = [view.across, view.down]; refresh(); });
        held.push(turn);
      }
      for (const k of crossed ? [view.down, view.across] : [0]) if (axes[k].depth > 1) held.push(levels(axes[k]));
      if (Object.keys(table.seen).length) {
        const group = make("span", { class: "group", role: "group", "aria-label": "What is shown" }, "Show");
        [["true values", false], ["what readers see", true]].forEach(([text, asReaders]) => {
          const button = make("button", { type: "button", "aria-pressed": String(view.asReaders === asReaders) }, text);
          button.addEventListener("click", () => { view.asReaders = asReaders; equip(); refresh(); });
          group.append(button);
        });
        held.push(group);
      }
      tools.replaceChildren(...held);
    }

    function legend() {
      const number = table.states.map(() => 0);
      for (const state of table.state) number[state] += 1;
      const kinds = table.states.map((state, k) =>
        number[k] ? make("li", {}, make("i", { class: state.name }), make("b", {}, count(number[k])), " " + state.text) : null);
      return make("ul", { class: "legend" }, ...kinds.filter(Boolean));
    }

    function fillPaper() {
      const rows = axes[view.down].shown(), columns = crossed ? axes[view.across].shown() : [0];
      const long = (texts) => Math.max(...texts.map((text) => text.length)) + 2;
      const lead = long(rows.map((row) => axes[view.down].code[row] + named(axes[view.down], row))) + 6;
      const width = (column) => long([crossed ? axes[view.across].code[column] : table.measure,
        ...rows.map((row) => { const cell = place(row, column); return cell === undefined ? "" : textOf(cell); })]);
      const parts = [[]];
      let used = lead;
      for (const column of columns) {
        used += width(column);
        if (used > PAPER && parts[parts.length - 1].length) { parts.push([]); used = lead + width(column); }
        parts[parts.length - 1].push(column);
      }
      const fixed = axes.map((axis, k) => (k === view.down || (crossed && k === view.across) ? null : axis.name + ": " + axis.code[view.fixed[k]]));
      paper.replaceChildren(make("p", {}, fixed.filter(Boolean).join(" · ")), ...parts.map((part) => grid(rows, part)));
    }
    window.addEventListener("beforeprint", fillPaper);
    window.addEventListener("afterprint", () => paper.replaceChildren());

    equip();
    refresh();
    const left = table.left_out ? " " + count(table.left_out) + " finer cells are left out of this page." : "";
    return make("section", {}, make("h2", {}, "The table"), tools, legend(), frame, details, paper,
      make("p", { class: "hint" }, "Choose a cell to see more of it; arrow keys go from cell to cell." + left));
  }

  const [measure, by] = data.title;
  const verdict = { true: "verdict good", false: "verdict bad", null: "verdict" }[data.verdict.good];
  const figures = data.figures.map((held) =>
    make("div", {}, make("dt", {}, held.name), make("dd", {}, held.text, held.more ? make("small", {}, held.more) : null)));
  const parts = [
    make("header", {}, data.banner ? make("p", { class: "banner" }, data.banner) : null,
      make("h1", {}, measure, make("span", {}, by)), make("p", { class: verdict }, data.verdict.text),
      make("dl", { class: "figures" }, ...figures)),
    data.table ? tableView(data.table) : null,
    ...data.sections.map((held) => make("section", {}, make("h2", {}, held.title), ...held.blocks.map(show))),
  ];
  document.getElementById("page").replaceChildren(...parts.filter(Boolean));
})();
