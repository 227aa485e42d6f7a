import classes from './choices.module.css'

type Props<T> = {
  /** Read by screen readers only. */
  label: string
  options: readonly { name: string; value: T }[]
  /** Compared with the options by identity. */
  value: T
  onChange: (value: T) => void
}

export const Choices = <T,>({ label, options, value, onChange }: Props<T>) => (
  <fieldset className={classes.choices}>
    <legend>{label}</legend>
    {options.map((option) => (
      <button
        key={option.name}
        type="button"
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
      >
        {option.name}
      </button>
    ))}
  </fieldset>
)
