import { Modal, Title } from '@mantine/core'
import { commandKey } from './command-key.ts'
import { destinations } from './destinations.ts'
import classes from './keys.module.css'
import type { KeyDialogProps } from './keys.tsx'

const general = [
  { name: 'Search pages, orders, suppliers and products', keys: [commandKey, 'K'], join: ' + ' },
  { name: 'Save the page or the open dialog', keys: [commandKey, 'S'], join: ' + ' },
  { name: 'Show this list', keys: ['?'], join: '' },
  { name: 'Close a dialog', keys: ['Esc'], join: '' },
]
const withKeys = (kind: 'Pages' | 'Actions') =>
  destinations.flatMap(({ kind: own, name, keys }) =>
    keys && own === kind ? [{ name, keys: keys.map((key) => key.toUpperCase()), join: ' then ' }] : [],
  )
const lists = [
  { name: 'Next or previous row', keys: ['↓', '↑'], join: ' or ' },
  { name: 'Select the row', keys: ['X'], join: '' },
  { name: 'Open the row', keys: ['Enter'], join: '' },
]
const groups = [
  { title: 'General', rows: general },
  { title: 'In a list, while a row has the focus', rows: lists },
  { title: 'Do', rows: withKeys('Actions') },
  { title: 'Go to', rows: withKeys('Pages') },
]

/** All keys of the admin. */
export const KeyList = ({ onClose }: KeyDialogProps) => (
  <Modal opened onClose={onClose} title="Keys" size="lg">
    {groups.map(({ title, rows }) => (
      <section key={title} aria-label={title} className={classes.keyGroup}>
        <Title order={3}>{title}</Title>
        <dl className={classes.keyList}>
          {rows.map(({ name, keys, join }) => (
            <div key={name} className={classes.keyRow}>
              <dt>{name}</dt>
              <dd>
                {keys.map((key, at) => (
                  <span key={key}>
                    {at > 0 && join}
                    <kbd>{key}</kbd>
                  </span>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
    <p className={classes.hint}>
      Keys do nothing while you type in a field, except {commandKey} + K and {commandKey} + S.
    </p>
  </Modal>
)
