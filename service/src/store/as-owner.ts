/** Runs a transaction of `withSession` as the role that owns the tables. */
export const AS_OWNER = 'set local role sluice_owner; set local search_path = public'
