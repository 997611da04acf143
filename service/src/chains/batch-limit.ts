/** How many calls one node takes in one batch, as far as it has shown. */
export interface BatchLimit {
  /** The calls to put into the next batch; 1 means that the node takes no batches. */
  readonly size: number
  /** Notes that a batch of this many calls was answered whole. */
  worked(calls: number): void
  /**
   * Notes that a batch of this many calls failed although its single calls succeed. `fits` is the
   * size that is tried next, at least 1.
   */
  failed(calls: number, fits: number): void
}

/** Nodes commonly refuse longer batches. */
export const BATCH_MAX = 100
/** Full batches without a failure after which a larger one is tried. */
const PATIENCE = 8
/** A node with a fixed limit refuses one batch in so many at most. */
const PATIENCE_MAX = 1_024

/**
 * Starts at `BATCH_MAX` and shrinks with each failure. It grows by half after a streak of full
 * batches, so that a passing failure does not slow a node down permanently; each growth that fails
 * at once doubles the streak that the next one needs.
 */
export function openBatchLimit(): BatchLimit {
  let size = BATCH_MAX
  let proven = BATCH_MAX
  let streak = 0
  let patience = PATIENCE
  return {
    get size() {
      return size
    },
    worked: (calls) => {
      if (calls < size) return
      if (size > proven) patience = PATIENCE
      proven = size
      streak += 1
      if (streak < patience || size === BATCH_MAX) return
      streak = 0
      size = Math.min(BATCH_MAX, size + Math.ceil(size / 2))
    },
    failed: (calls, fits) => {
      streak = 0
      if (calls > size) return
      const isTrial = size > proven
      if (isTrial) patience = Math.min(PATIENCE_MAX, patience * 2)
      size = isTrial && calls > proven ? proven : Math.max(1, Math.min(fits, calls - 1))
      proven = Math.min(proven, size)
    },
  }
}
