import { describeAdapter } from './conformance.ts'
import { openTronWorld } from './tron-world.ts'

describeAdapter('TRON', () => openTronWorld())
describeAdapter('TRON, of a trusted node that is old,', () =>
  openTronWorld({ completeness: 'logs' }, { without: ['getblock'] }),
)
