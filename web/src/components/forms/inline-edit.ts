import { useState } from 'react'

/** A form that replaces its text in place. The button that opens it takes `autoFocus`, so that it has the focus again once the form is closed. */
export function useInlineEdit() {
  const [isEditing, setEditing] = useState(false)
  const [wasEdited, setWasEdited] = useState(false)
  return {
    isEditing,
    autoFocus: wasEdited,
    open: () => setEditing(true),
    close: () => {
      setEditing(false)
      setWasEdited(true)
    },
  }
}
