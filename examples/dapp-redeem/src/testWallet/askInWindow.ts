import './askInWindow.css'

/**
 * Shows the test wallet's window, and resolves with what the person presses: yes or no. Closing it is a no.
 *
 * It is no part of the shop's React tree, as no wallet's window is.
 */
export function askInWindow(options: { title: string; yes: string; detail: string }): Promise<boolean> {
  const { title, yes, detail } = options
  const dialog = document.createElement('dialog')
  dialog.className = 'test-wallet'
  dialog.setAttribute('aria-labelledby', 'test-wallet-title')
  const add = <tag extends keyof HTMLElementTagNameMap>(tag: tag, text: string, to: HTMLElement = dialog) => {
    const made = document.createElement(tag)
    made.textContent = text
    to.append(made)
    return made
  }
  add('p', 'Test wallet · no real money').className = 'test-wallet-label'
  add('h2', title).id = 'test-wallet-title'
  if (detail !== '') {
    const shown = add('pre', detail)
    shown.tabIndex = 0
    shown.setAttribute('aria-label', 'What is signed')
  }
  const buttons = document.createElement('div')
  buttons.className = 'test-wallet-buttons'
  const no = add('button', 'Reject', buttons)
  const agree = add('button', yes, buttons)
  dialog.append(buttons)
  document.body.append(dialog)
  return new Promise((resolve) => {
    const answer = (isYes: boolean) => () => {
      dialog.remove()
      resolve(isYes)
    }
    no.addEventListener('click', answer(false))
    agree.addEventListener('click', answer(true))
    dialog.addEventListener('cancel', answer(false))
    dialog.showModal()
    agree.focus()
  })
}
