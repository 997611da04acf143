const KEY = 'sluice.theme'
/** The themes to choose from. */
export const THEMES = ['system', 'light', 'dark'] as const

/** The colours: those of the person's device, light or dark. */
export type Theme = (typeof THEMES)[number]

/** The theme that was chosen on this device. */
export function readTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

/** Shows a theme, and keeps it for later visits. */
export function applyTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  if (theme === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.setAttribute('data-theme', theme)
}
