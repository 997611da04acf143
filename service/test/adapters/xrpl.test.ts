import { describeAdapter } from './conformance.ts'
import { openXrplWorld } from './xrpl-world.ts'

describeAdapter('rippled', () => openXrplWorld())
describeAdapter('Clio', () => openXrplWorld({ kind: 'clio' }))
describeAdapter('a server of old', () => openXrplWorld({ versionMax: 1 }))
