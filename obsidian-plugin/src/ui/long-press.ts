/** Long press on a touch screen, where not every system has a context menu. */

const HELD_MILLISECONDS = 500;
const MOVED_PIXELS = 10;

/** Call `act` once when the element is held; a tap that follows is swallowed. */
export function onLongPress(el: HTMLElement, act: (event: MouseEvent) => void): void {
  let timer: number | null = null;
  let start = { x: 0, y: 0 };
  let held = false;
  const stop = (): void => {
    if (timer !== null) el.win.clearTimeout(timer);
    timer = null;
  };
  el.addEventListener("pointerdown", (event) => {
    held = false;
    if (event.pointerType !== "touch") return;
    start = { x: event.clientX, y: event.clientY };
    timer = el.win.setTimeout(() => {
      timer = null;
      held = true;
      act(event);
    }, HELD_MILLISECONDS);
  });
  el.addEventListener("pointermove", (event) => {
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > MOVED_PIXELS) stop();
  });
  for (const type of ["pointerup", "pointercancel", "pointerleave"] as const) el.addEventListener(type, stop);
  el.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    stop();
    if (!held) act(event);
    held = true;
  });
  el.addEventListener(
    "click",
    (event) => {
      if (held) event.stopImmediatePropagation();
      held = false;
    },
    true,
  );
}
