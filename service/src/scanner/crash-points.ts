/**
 * The points that the scanner's steps pass, in order: before a commit a process that ends there has
 * done nothing, after it everything. The tests end it at each of them.
 */
export const SCANNER_POINTS = [
  'begin.fetched',
  'begin.stored',
  'begin.committed',
  'note.stored',
  'note.committed',
  'connect.fetched',
  'connect.judged',
  'connect.leased',
  'connect.detected',
  'connect.tracked',
  'connect.confirmed',
  'connect.stored',
  'connect.moved',
  'connect.told',
  'connect.committed',
  'confirm.judged',
  'confirm.confirmed',
  'confirm.told',
  'confirm.committed',
  'disconnect.leased',
  'disconnect.untracked',
  'disconnect.orphaned',
  'disconnect.moved',
  'disconnect.told',
  'disconnect.committed',
  'rebase.compared',
  'rebase.undone',
  'rebase.moved',
  'rebase.committed',
  'halt.stored',
  'halt.committed',
  'rescan.detected',
  'rescan.told',
  'rescan.committed',
] as const

export type ScannerPoint = (typeof SCANNER_POINTS)[number]
