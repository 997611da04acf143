import { inject } from 'vitest'
import { askForMade } from '../../support/on-demand.ts'
import type { Person } from './sign-in.ts'
import type { ContractWorld, Tenant } from './state.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Receives the `ContractWorld` for `askForMade`. */
    contractWorldDoor: string
  }
}

/** Files of tests name its tokens and people as they are read, before any test. */
const world = await askForMade<ContractWorld>(inject('contractWorldDoor'))

/** The product of the whole run. */
export function theWorld(): ContractWorld {
  return world
}

/** One of its organizations. */
export function tenantOf(name: string): Tenant {
  const tenant = theWorld().tenants[name]
  if (tenant === undefined) throw new Error(`there is no organization ${name}`)
  return tenant
}

/** A person of a role, by default the first. */
export function personOf({ people }: Tenant, role: string, at = 0): Person {
  const person = people.filter((one) => one.role === role)[at]
  if (person === undefined) throw new Error(`there is no ${role} number ${at}`)
  return person
}
