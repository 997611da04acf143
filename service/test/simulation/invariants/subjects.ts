import type { Picture, StoredSpend } from '../picture.ts'

/** The withdrawals paid by a batch spend; empty for a spend of one withdrawal. */
export function subjectsOf({ subjects }: Picture, spend: string): string[] {
  return subjects.filter((one) => one.spend === spend).map(({ subject }) => subject)
}

/** The spends that a subject is paid by, alone or with others. */
export function spendsOf({ spends, subjects }: Picture, subject: string): StoredSpend[] {
  const together = new Set(
    subjects.filter((one) => one.subject === subject).map(({ spend }) => spend),
  )
  return spends.filter((one) => one.subject === subject || together.has(one.id))
}
