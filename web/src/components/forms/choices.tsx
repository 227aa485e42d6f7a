import classes from './choices.module.css'

type Props<T> = {
  /** What is chosen, for those who hear it. */
  label: string
  options: readonly { name: string; value: T }[]
  /** The options are compared with it as they are. */
  value: T
  onChange: (value: T) => void
}

/** One of a few, in one click. */
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
