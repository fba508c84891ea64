/** The live bar of a score: the height of the curve now, laid on its side. */

import type { Standing } from "./standing";

export class Bar {
  private readonly el: HTMLElement;
  private readonly fill: HTMLElement;

  constructor(parent: HTMLElement) {
    this.el = parent.createSpan({ cls: "mnemex-bar", attr: { "aria-hidden": "true" } });
    this.fill = this.el.createSpan();
  }

  show(item: Standing): void {
    this.el.setAttribute("data-state", item.state);
    this.fill.setCssProps({ "--mnemex-fill": `${(item.level * 100).toFixed(1)}%` });
  }
}
