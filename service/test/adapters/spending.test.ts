import { openSimulatedWorld } from './evm-simulated-world.ts'
import { openEvmWorld } from './evm-world.ts'
import { describeSpending } from './spending.ts'

describeSpending('EVM', () => openEvmWorld())
describeSpending('EVM, of a trusted node,', () =>
  openEvmWorld({ completeness: 'logs', traces: 'off' }),
)
describeSpending('EVM, of the simulated node,', () => openSimulatedWorld())
describeSpending('EVM, of a trusted simulated node,', () =>
  openSimulatedWorld({ completeness: 'logs', traces: 'off' }),
)
describeSpending('EVM, of a chain without a base fee,', () =>
  openSimulatedWorld({}, { hasBaseFee: false }),
)
