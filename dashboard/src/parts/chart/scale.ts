const STEPS = [1, 2, 5]

/** The marks of an axis from 0: whole numbers, about four steps, the last not below `max`. */
export function ticksOf(max: number): number[] {
  const wanted = Math.max(1, max / 4)
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = (STEPS.find((one) => one * power >= wanted) ?? 10) * power
  const count = Math.max(1, Math.ceil(max / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** Which of `count` labels are shown so that they do not touch: every n-th, the first included. */
export function labelEvery(count: number, { width, min }: { width: number; min: number }): number {
  const fitting = Math.max(1, Math.floor(width / min))
  return Math.max(1, Math.ceil(count / fitting))
}
