import { Loader, Modal, TextInput, VisuallyHidden } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import classes from './keys.module.css'
import type { KeyDialogProps } from './keys.tsx'
import { type Result, useResults } from './palette-results.ts'

/**
 * Finds pages, actions, orders, suppliers and products, by keyboard alone: a combobox whose list is always shown. The focus
 * stays in the field; `aria-activedescendant` names the chosen result.
 */
export function Palette({ onClose, onShowKeys }: KeyDialogProps) {
  const navigate = useNavigate()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [chosenKey, setChosenKey] = useState<string | null>(null)
  /** The text for which Enter was pressed before its results arrived, as a barcode scanner does. */
  const [entered, setEntered] = useState<string | null>(null)
  const { groups, isCurrent, isFailed } = useResults(typed)
  const results = groups.flatMap((group) => group.results)
  const chosen = results.find(({ key }) => key === chosenKey) ?? results[0]
  const optionId = (key: string) => `${id}-${key.replace(/\W/g, '-')}`

  const go = ({ to }: Result) => {
    onClose()
    void navigate({ to })
  }
  const move = (by: number) => {
    const at = chosen ? results.indexOf(chosen) : -1
    const next = results.at((at + by) % results.length)
    if (next) setChosenKey(next.key)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') {
      if (isCurrent && chosen) go(chosen)
      else if (!isCurrent && chosenKey !== null && chosen?.key === chosenKey) go(chosen)
      else if (!isCurrent) setEntered(typed.trim())
    } else if (event.key === '?' && typed === '') onShowKeys()
    else return
    event.preventDefault()
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when results arrive
  useEffect(() => {
    if (entered === null || !isCurrent) return
    setEntered(null)
    if (entered === typed.trim() && chosen) go(chosen)
  }, [entered, isCurrent])

  const chosenId = chosen && optionId(chosen.key)
  useEffect(() => {
    if (chosenId) document.getElementById(chosenId)?.scrollIntoView({ block: 'nearest' })
  }, [chosenId])

  return (
    <Modal opened onClose={onClose} title="Search" size="lg" centered={false}>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Search pages, orders, suppliers and products"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(chosenId && { 'aria-activedescendant': chosenId })}
        placeholder="PO number, supplier, title, SKU, barcode, page …"
        autoComplete="off"
        maxLength={200}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setChosenKey(null)
          setEntered(null)
        }}
        onKeyDown={onKeyDown}
        rightSection={isCurrent ? undefined : <Loader size="xs" />}
      />
      <VisuallyHidden role="status">
        {isCurrent ? `${results.length} ${results.length === 1 ? 'result' : 'results'}` : ''}
      </VisuallyHidden>
      <div id={`${id}-list`} role="listbox" aria-label="Results" className={classes.results}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, which a fieldset is not
          <div key={group.title} role="group" aria-labelledby={optionId(`title-${group.title}`)}>
            <div id={optionId(`title-${group.title}`)} className={classes.groupTitle} role="presentation">
              {group.title}
            </div>
            {group.results.map((result) => (
              <Option
                key={result.key}
                id={optionId(result.key)}
                result={result}
                isChosen={result === chosen}
                onChoose={() => setChosenKey(result.key)}
                onGo={() => go(result)}
              />
            ))}
          </div>
        ))}
      </div>
      {results.length === 0 && (
        <p className={classes.hint}>{isCurrent ? `No results for “${typed.trim()}”` : 'Searching …'}</p>
      )}
      {isFailed && (
        <p className={classes.hint}>Some results could not be loaded. Change the text to try again.</p>
      )}
    </Modal>
  )
}

type OptionProps = {
  id: string
  result: Result
  isChosen: boolean
  onChoose: () => void
  onGo: () => void
}

const Option = ({ id, result, isChosen, onChoose, onGo }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
  <div
    id={id}
    role="option"
    aria-selected={isChosen}
    className={classes.option}
    onMouseMove={onChoose}
    onClick={onGo}
  >
    <span className={classes.name}>{result.name}</span>
    {result.detail && <span className={classes.detail}>{result.detail}</span>}
    {result.keys && (
      <span className={classes.optionKeys} aria-hidden>
        {result.keys.map((key) => (
          <kbd key={key}>{key.toUpperCase()}</kbd>
        ))}
      </span>
    )}
  </div>
)
