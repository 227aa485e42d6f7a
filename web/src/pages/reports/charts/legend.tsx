import classes from './legend.module.css'

/** `dashes` is the dash pattern of a line; a line without one is solid. */
export type Mark = { name: string; color: string; kind: 'bar' | 'line'; dashes?: string }

/** Distinguishes series by shape and dashes too, since colour alone is not accessible. */
export const Legend = ({ marks }: { marks: readonly Mark[] }) => (
  <ul className={classes.legend}>
    {marks.map(({ name, color, kind, dashes }) => (
      <li key={`${name} ${color}`}>
        <svg width="28" height="12" aria-hidden>
          {kind === 'bar' ? (
            <rect x="8" width="12" height="12" fill={color} />
          ) : (
            <line x2="28" y1="6" y2="6" stroke={color} strokeWidth="3" strokeDasharray={dashes} />
          )}
        </svg>
        {name}
      </li>
    ))}
  </ul>
)
