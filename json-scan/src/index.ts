export { createScanner } from './scanner.ts'
export type { Column, Expected, FieldKind, Scan, Scanner, Schema, TopicColumn } from './scanner.ts'
