import type { PlantedBug } from './bug.ts'
import { DEPOSIT_BUGS } from './deposit-bugs.ts'
import { PAYMENT_BUGS } from './payment-bugs.ts'
import { PEOPLE_BUGS } from './people-bugs.ts'

/** Mistakes that the simulation must see (failures, 2.3.5), each put in alone, and some more. */
export const BUGS: readonly PlantedBug[] = [...DEPOSIT_BUGS, ...PAYMENT_BUGS, ...PEOPLE_BUGS]
