import { useId } from 'react'
import styles from './choice-field.module.css'
import field from './field.module.css'

/** A value to choose, with its meaning. */
export interface Choice<Value extends string> {
  value: Value
  text: string
  hint: string
}

interface ChoiceFieldProps<Value extends string> {
  label: string
  choices: readonly Choice<Value>[]
  chosen: readonly Value[]
  /** One value, or any number of them. */
  kind: 'radio' | 'checkbox'
  onChange: (chosen: readonly Value[]) => void
  error?: string | undefined
}

/** A choice whose values are explained: one of them, or several. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, choices, chosen, kind, onChange, error } = props
  const id = useId()
  const toggle = (value: Value, isOn: boolean) => {
    if (kind === 'radio') return onChange([value])
    return onChange(
      choices
        .map((one) => one.value)
        .filter((one) => (one === value ? isOn : chosen.includes(one))),
    )
  }
  return (
    <fieldset
      className={styles['choices']}
      aria-describedby={error === undefined ? undefined : `${id}-error`}
    >
      <legend>{label}</legend>
      {choices.map(({ value, text, hint }) => (
        <label key={value} className={styles['choice']}>
          <input
            type={kind}
            name={id}
            value={value}
            checked={chosen.includes(value)}
            onChange={(event) => toggle(value, event.target.checked)}
            aria-invalid={error === undefined ? undefined : true}
          />
          <span>
            <strong>{text}</strong>
            <span className={`${field['hint']} ${styles['hint']}`}>{hint}</span>
          </span>
        </label>
      ))}
      {error !== undefined && (
        <p id={`${id}-error`} className={field['error']} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
