/** The decisions about a chain or a token of the organization. */
interface Decisions {
  enabledByOperator: boolean
  enabledByOrganization: boolean
}

/** Whether the organization uses a chain or a token, and otherwise whose decision it is. */
export const USES = ['on', 'offByOrganization', 'offByOperator'] as const
export type Use = (typeof USES)[number]

/** The operator's decision counts first: the organization cannot switch on what is not offered. */
export function useOf({ enabledByOperator, enabledByOrganization }: Decisions): Use {
  if (!enabledByOperator) return 'offByOperator'
  return enabledByOrganization ? 'on' : 'offByOrganization'
}
