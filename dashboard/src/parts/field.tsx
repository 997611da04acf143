import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'
import frame from './input.module.css'

const INPUT = `${frame['input']} ${styles['input']}`

interface FieldProps {
  label: string
  hint?: ReactNode
  /** The mistake in the value. */
  error?: string | undefined
}

/** A labelled text input with its hint and its error. */
export function TextField({
  label,
  hint,
  error,
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, 'className' | 'id'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <input {...input} {...ids} className={INPUT} />}
    </Field>
  )
}

/** A labelled choice of one value. */
export function SelectField({
  label,
  hint,
  error,
  options,
  ...select
}: FieldProps &
  Omit<ComponentProps<'select'>, 'className' | 'id' | 'children'> & {
    options: readonly (readonly [value: string, text: string])[]
  }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <select {...select} {...ids} className={INPUT}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** A labelled text of several lines. */
export function TextArea({
  label,
  hint,
  error,
  ...area
}: FieldProps & Omit<ComponentProps<'textarea'>, 'className' | 'id'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <textarea rows={3} {...area} {...ids} className={INPUT} />}
    </Field>
  )
}

/** A box to tick, with its text. */
export function CheckField({
  label,
  hint,
  ...input
}: Omit<FieldProps, 'error'> & Omit<ComponentProps<'input'>, 'className' | 'id' | 'type'>) {
  const id = useId()
  return (
    <div className={styles['check']}>
      <input
        {...input}
        type="checkbox"
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className={styles['hint']}>
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

interface Ids {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & { children: (ids: Ids) => ReactNode }) {
  const id = useId()
  const isWrong = error !== undefined && error !== ''
  const parts = [hint === undefined ? '' : `${id}-hint`, isWrong ? `${id}-error` : '']
  const described = parts.filter((part) => part !== '').join(' ')
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': isWrong || undefined,
      })}
      {isWrong && (
        <p id={`${id}-error`} className={styles['error']} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
