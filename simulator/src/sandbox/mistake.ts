/** The caller's mistake, told in a sentence with status 400. */
export class Mistake extends Error {}
