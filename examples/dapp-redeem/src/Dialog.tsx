import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'

/** The dialog's button, Escape, or a click outside closes it. */
export function Dialog(props: { title: string; isOpen: boolean; onClose: () => void; children: ReactNode }) {
  const { title, isOpen, onClose, children } = props
  const dialog = useDialog(isOpen)
  const id = useId()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog, and there is a button
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose()
      }}
    >
      {isOpen && (
        <>
          <div className="dialog-head">
            <h2 id={id}>{title}</h2>
            <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
              <svg
                viewBox="0 0 24 24"
                aria-hidden="true"
                stroke="currentColor"
                strokeWidth="2"
                strokeLinecap="round"
              >
                <path d="m6 6 12 12M18 6 6 18" />
              </svg>
            </button>
          </div>
          {children}
        </>
      )}
    </dialog>
  )
}

/** The browser traps and restores the focus. */
function useDialog(isOpen: boolean): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const { current } = dialog
    if (isOpen && current?.open === false) current.showModal()
    if (!isOpen && current?.open === true) current.close()
  }, [isOpen])
  return dialog
}
