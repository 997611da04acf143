/** For a transaction on a session of its own: as the role that owns the tables. */
export const AS_OWNER = 'set local role sluice_owner; set local search_path = public'
