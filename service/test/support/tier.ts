/** Whether this is `npm test` and not the long tier: properties are tried fewer times. */
export const IS_SHORT = process.env['SLUICE_TEST_TIER'] === 'short'
