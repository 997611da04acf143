import { Menu } from '@base-ui/react/menu'
import { t } from '../text/text.ts'
import styles from './filter-choices.module.css'
import input from './input.module.css'
import menu from './menu.module.css'
import { Icon } from './icon.tsx'

/** A filter of which several values can be chosen; they are separated by commas in its value. */
export function FilterChoices({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly (readonly [value: string, text: string])[]
  value: string
  onChange: (value: string) => void
}) {
  const chosen = choicesIn(value)
  const toggle = (one: string, isOn: boolean) => {
    const next = options.map(([each]) => each).filter((each) => isIn(each, one, isOn))
    onChange(next.join(','))
  }
  const isIn = (each: string, changed: string, isOn: boolean) =>
    each === changed ? isOn : chosen.includes(each)
  return (
    <Menu.Root>
      <Menu.Trigger
        className={`${input['input']} ${styles['trigger']}`}
        aria-label={`${label}: ${textOf(value, options)}`}
      >
        <span>{textOf(value, options)}</span>
        <Icon name="forward" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={menu['place']} align="start" sideOffset={4}>
          <Menu.Popup className={menu['popup']}>
            {options.map(([one, text]) => (
              <Menu.CheckboxItem
                key={one}
                className={menu['item']}
                checked={chosen.includes(one)}
                onCheckedChange={(isOn) => toggle(one, isOn)}
              >
                <span className={styles['box']}>
                  <Menu.CheckboxItemIndicator>
                    <Icon name="check" />
                  </Menu.CheckboxItemIndicator>
                </span>
                {text}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

/** The values that are chosen. */
function choicesIn(value: string): string[] {
  return value.split(',').filter((one) => one !== '')
}

/** The chosen values in words. */
export function textOf(
  value: string,
  options: readonly (readonly [value: string, text: string])[],
): string {
  const texts = choicesIn(value).map((one) => options.find(([each]) => each === one)?.[1] ?? one)
  return texts.length === 0 ? t('filters.all') : texts.join(', ')
}
