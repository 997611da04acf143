import { type FormEvent, type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import type { Filters } from '../data/filters.ts'
import { t } from '../text/text.ts'
import { Button } from './button.tsx'
import { FilterChoices, textOf } from './filter-choices.tsx'
import styles from './filter-bar.module.css'
import input from './input.module.css'
import { Icon } from './icon.tsx'

/** A typed filter applies after a pause of this length. */
const PAUSE_MS = 500

/** A filter of a list. */
export interface FilterField<Name extends string> {
  name: Name
  label: string
  /** Values to choose from; without them the person types or picks a day. */
  options?: readonly (readonly [value: string, text: string])[]
  /** The text of no value among `options`; all values by default. */
  empty?: string
  /** Several of the options can be chosen; the value has commas between them. */
  isMultiple?: boolean
  kind?: 'search' | 'text' | 'date'
  placeholder?: string
}

interface FilterBarProps<Name extends string> {
  filters: Filters<Name>
  fields: readonly FilterField<Name>[]
  /** Buttons at the end, such as the export of the whole filter. */
  children?: ReactNode
}

/** The filters of a list, and those in force as chips that can be removed one by one. */
export function FilterBar<Name extends string>({
  filters,
  fields,
  children,
}: FilterBarProps<Name>) {
  return (
    <div className={styles['bar']}>
      <div className={styles['fields']} role="search">
        {fields.map((field) => (
          <Control key={field.name} field={field} filters={filters} />
        ))}
        <div className={styles['end']}>{children}</div>
      </div>
      {filters.isFiltered && <InForce filters={filters} fields={fields} />}
    </div>
  )
}

function Control<Name extends string>({
  field: { name, label, options, empty = t('filters.all'), isMultiple, kind = 'text', placeholder },
  filters,
}: {
  field: FilterField<Name>
  filters: Filters<Name>
}) {
  const id = useId()
  const value = filters.values[name] ?? ''
  const choose = useCallback((next: string) => filters.set(toChange(name, next)), [filters, name])
  if (options !== undefined && isMultiple === true) {
    return (
      <div className={styles['control']}>
        <span className={styles['label']}>{label}</span>
        <FilterChoices label={label} options={options} value={value} onChange={choose} />
      </div>
    )
  }
  if (options !== undefined) {
    return (
      <div className={styles['control']}>
        <label htmlFor={id}>{label}</label>
        <select
          id={id}
          className={input['input']}
          value={value}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">{empty}</option>
          {options.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
        </select>
      </div>
    )
  }
  return (
    <TypedControl
      label={label}
      kind={kind}
      value={value}
      onChange={choose}
      {...(placeholder !== undefined && { placeholder })}
    />
  )
}

/** A filter that is typed. It applies when the person pauses, presses Enter or leaves it. */
function TypedControl({
  label,
  kind,
  value,
  placeholder,
  onChange,
}: {
  label: string
  kind: 'search' | 'text' | 'date'
  value: string
  placeholder?: string
  onChange: (value: string) => void
}) {
  const id = useId()
  const [typed, setTyped] = useState(value)
  const [applied, setApplied] = useState(value)
  // Cleared from outside, or by the browser's Back.
  if (applied !== value) {
    setApplied(value)
    if (typed.trim() !== value) setTyped(value)
  }
  const next = typed.trim()
  const apply = () => {
    if (next !== value) onChange(next)
  }
  useEffect(() => {
    // Half a date is another date.
    if (kind === 'date' || next === value) return
    const timer = setTimeout(() => onChange(next), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [kind, next, value, onChange])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  return (
    <form className={styles['control']} onSubmit={submit}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={input['input']}
        type={kind}
        value={typed}
        placeholder={placeholder}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={apply}
      />
    </form>
  )
}

function InForce<Name extends string>({
  filters,
  fields,
}: Pick<FilterBarProps<Name>, 'filters' | 'fields'>) {
  const shown = fields.flatMap((field) => {
    const value = filters.values[field.name]
    return value === undefined ? [] : [{ ...field, value }]
  })
  return (
    <ul className={styles['inForce']} aria-label={t('filters.inForce')}>
      {shown.map(({ name, label, options, value }) => {
        const text = options === undefined ? value : textOf(value, options)
        return (
          <li key={name}>
            <button
              type="button"
              onClick={() => filters.set(toChange(name, ''))}
              aria-label={t('filters.remove', { label, value: text })}
            >
              <span>
                {label}: {text}
              </span>
              <Icon name="close" />
            </button>
          </li>
        )
      })}
      <li>
        <Button look="quiet" onClick={filters.clear}>
          {t('filters.clear')}
        </Button>
      </li>
    </ul>
  )
}

function toChange<Name extends string>(name: Name, value: string) {
  return { [name]: value } as Partial<Record<Name, string>>
}
