import { type RefObject, useEffect, useRef } from 'react'

/** A `<dialog>` that opens and closes with `isOpen`: the browser keeps the focus inside, and puts it back. */
export function useDialog(isOpen: boolean): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    if (isOpen && current?.open === false) current.showModal()
    if (!isOpen && current?.open === true) current.close()
  }, [isOpen])
  return dialog
}
