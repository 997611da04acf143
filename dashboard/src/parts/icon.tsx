import styles from './icon.module.css'

/** Outlines on a grid of 16 by 16. */
const PATHS = {
  account: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5.5 6c.6-2.6 2.8-4 5.5-4s4.9 1.4 5.5 4',
  alert: 'M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4ZM6.5 13.5h3',
  approve: 'm2.5 8 2.5 2.5L10 5m-3.5 5.5L7 11l6.5-6.5',
  audit: 'M4 2h6l2.5 2.5V14H4V2Zm2 5h4.5M6 9.5h4.5M6 12h2.5',
  back: 'M10 3 5 8l5 5',
  chain:
    'M6.5 9.5 9.5 6.5M7 4.5l1.5-1.5a2.5 2.5 0 0 1 4 3.5L11 8M9 11.5 7.5 13a2.5 2.5 0 0 1-4-3.5L5 8',
  check: 'm3 8.5 3.5 3.5L13 4.5',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9.5V8l2.5 1.5',
  close: 'm4 4 8 8m0-8-8 8',
  copy: 'M5.5 5.5V3H13v7.5h-2.5M3 5.5h7.5V13H3V5.5Z',
  cross: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6 6l4 4m0-4-4 4',
  deposit: 'M8 2v8m-3.5-3L8 10.5 11.5 7M3 13.5h10',
  dot: 'M8 9.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z',
  download: 'M8 2.5v7M5 7l3 3 3-3M3 13h10',
  event: 'M8.5 2 3.5 9H7.5L7 14l5.5-7.5H8.5V2Z',
  external: 'M9.5 3H13v3.5M13 3 7.5 8.5M11 9v4H3V5h4',
  forward: 'm6 3 5 5-5 5',
  gas: 'M3 14V2.5h6V14M2 14h8M3 7h6m0-1.5h1.5c.8 0 1.5.7 1.5 1.5v3.5a1 1 0 0 0 2 0V5.5L12 3.5',
  home: 'M2.5 7.5 8 2.5l5.5 5v6h-4V10h-3v3.5h-4v-6Z',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-6.5V11m0-6v.5',
  key: 'M10.5 9a3.5 3.5 0 1 0-3.3-2.3L2.5 11.5v2h2.5V12h1.5v-1.5H8L8.6 9.4',
  ledger: 'M3 3h10v10H3V3Zm0 3.3h10M3 9.7h10M7 3v10',
  menu: 'M2.5 4h11m-11 4h11m-11 4h11',
  people:
    'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-4.5 5.5C2 11 3.7 10 6 10s4 1 4.5 3.5' +
    'M10.5 3.3a2.5 2.5 0 0 1 0 4.4M12 10.5c1.3.4 2.2 1.4 2.5 3',
  plus: 'M8 3v10M3 8h10',
  portfolio: 'M8 8V2a6 6 0 1 1-5.6 3.8L8 8Z',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.5L13 6m0-3.5V6H9.5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2L14 14',
  settings:
    'M2.5 4.5h7m3 0h1M2.5 11.5h1m3 0h7M11 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z' +
    'M5 13a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z',
  sweep: 'M2.5 5.5h8M8 3l2.5 2.5L8 8m5.5 2.5h-8M8 8l-2.5 2.5L8 13',
  token: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9L11 8l-3 3-3-3 3-3Z',
  warning: 'M8 2.5 1.5 13.5h13L8 2.5Zm0 4V10m0 1.5v.5',
  webhook:
    'M5 11.5a2 2 0 1 1-1.5-2M8 4.5a2 2 0 1 1 1.8 1.1L12 10m-1 1.5a2 2 0 1 0 1-2' +
    'M5 11.5h6M6.7 5.5 4 10',
  withdrawal: 'M8 10.5v-8M4.5 5.5 8 2l3.5 3.5M3 13.5h10',
} as const

/** The name of an icon. */
export type IconName = keyof typeof PATHS

/** A drawing beside a word; it adds nothing for a screen reader. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={styles['icon']} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
