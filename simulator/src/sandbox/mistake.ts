/** An error of the caller, returned with status 400. */
export class Mistake extends Error {}
