import { useEffect, useRef, useState } from 'react'
import type { Account } from '../messages.ts'
import { AccountMark, Icon } from './Icon.tsx'
import { Address, Button, Problem } from './parts.tsx'
import { useText } from './useText.tsx'
import { useAction } from './useWorker.tsx'

export function AccountSwitcher(props: { account: Account; accounts: readonly Account[] }) {
  const { account, accounts } = props
  const { text } = useText()
  const { ask, run, failure, isRunning } = useAction()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  return (
    <div className="row">
      <button
        type="button"
        className="account-button"
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        <AccountMark address={account.address} />
        <span className="for-ears">{text('accounts.current')}</span>
        <strong>{account.name}</strong>
        <Icon name="chevron" size={16} />
      </button>
      <CopyAddress address={account.address} />
      <dialog ref={dialog} className="sheet" aria-label={text('accounts.title')}>
        <div className="row">
          <h2 className="grow">{text('accounts.title')}</h2>
          <button type="button" className="icon-button" aria-label={text('close')} onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        <ul className="list">
          {accounts.map((one) => (
            <li key={one.address}>
              <button
                type="button"
                className="list-button"
                aria-current={one.address === account.address ? 'true' : undefined}
                onClick={() => {
                  ask('selectAccount', { address: one.address })
                  close()
                }}
              >
                <AccountMark address={one.address} />
                <span className="grow">
                  <strong>{one.name}</strong> <Address address={one.address} />
                </span>
                {one.address === account.address && <Icon name="check" />}
              </button>
            </li>
          ))}
        </ul>
        <Problem text={failure && text(`failure.${failure.code}`)} />
        {accounts.some(({ from }) => from === 'phrase') && (
          <Button isDisabled={isRunning} onClick={() => run(() => ask('addAccount', {}))}>
            <Icon name="plus" size={16} />
            {text('accounts.add')}
          </Button>
        )}
      </dialog>
    </div>
  )
}

function CopyAddress(props: { address: string }) {
  const { address } = props
  const { text } = useText()
  const [copied, setCopied] = useState<string>()
  useEffect(() => {
    if (copied === undefined) return
    const timer = setTimeout(() => setCopied(undefined), 2_000)
    return () => clearTimeout(timer)
  }, [copied])
  const isCopied = copied === address
  return (
    <button
      type="button"
      className="copy-button"
      title={address}
      onClick={() => navigator.clipboard.writeText(address).then(() => setCopied(address))}
    >
      <span className="for-ears">{text('accounts.copy')}</span>
      <Address address={address} />
      <Icon name={isCopied ? 'check' : 'copy'} size={15} />
      <span role="status" className="for-ears">
        {isCopied ? text('accounts.copied') : ''}
      </span>
    </button>
  )
}
