/** Values that several examples share. */
export const AT = '2026-01-31T09:30:00.000Z'
export const ORG_ID = '019ab4ee-1111-7000-8000-000000000001'
export const ORG_NAME = 'Example Exchange'
export const RECEIVER_URL = 'https://example.com/hooks/sluice'
export const USER_ID = '019ab4ee-2222-7000-8000-000000000002'
export const SEPOLIA = 'eip155:11155111'
export const ETHER = {
  id: 'eip155:11155111/slip44:60',
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  address: '',
}
