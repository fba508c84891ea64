import { expect, test } from "vitest";
import { VirtualList } from "../../src/ui/virtual-list";

interface Line {
  readonly key: string;
  readonly text: string;
}

function openList(count: number) {
  const scroller = createDiv();
  Object.defineProperty(scroller, "clientHeight", { value: 460 });
  let created = 0;
  const list = new VirtualList<Line>(scroller, {
    height: () => 46,
    create: (_line, parent) => {
      created++;
      const el = parent.createDiv();
      return { el, update: (line) => el.setText(line.text) };
    },
  });
  const lines = Array.from({ length: count }, (_, index) => ({ key: `k${index}`, text: `Line ${index}` }));
  list.show(lines);
  return { scroller, list, lines, created: () => created };
}

test("of ten thousand lines only the seen ones are rendered, wherever one scrolls", () => {
  const { scroller, list } = openList(10_000);
  for (const top of [0, 100, 46 * 5000, 46 * 9990]) {
    scroller.scrollTop = top;
    list.render();
    expect(list.rendered).toBeLessThanOrEqual(17);
    expect(list.elementOf(`k${Math.floor(top / 46)}`)?.textContent).toBe(`Line ${Math.floor(top / 46)}`);
  }
});

test("elements are kept by key, so that a bar can move", () => {
  const { list, lines, created } = openList(20);
  const before = list.elementOf("k3");
  const count = created();
  list.show(lines.map((line) => ({ ...line, text: `${line.text}!` })));
  expect(list.elementOf("k3")).toBe(before);
  expect(before?.textContent).toBe("Line 3!");
  expect(created()).toBe(count);
});

test("revealing scrolls as little as needed", () => {
  const { scroller, list } = openList(100);
  list.reveal(5);
  expect(scroller.scrollTop).toBe(0);
  list.reveal(20);
  expect(scroller.scrollTop).toBe(21 * 46 - 460);
  list.reveal(19);
  expect(scroller.scrollTop).toBe(21 * 46 - 460);
});

test("nothing stays behind", () => {
  const { scroller, list } = openList(100);
  list.destroy();
  expect(list.rendered).toBe(0);
  expect(scroller.querySelectorAll("div")).toHaveLength(1);
});
