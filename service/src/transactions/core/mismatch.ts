import { Bug } from '../../base/assert.ts'

/**
 * The signed or stored payment differs from its request: a bug, or an altered database. The
 * transaction is rolled back and the sender is halted.
 */
export class SpendMismatch extends Bug {}
