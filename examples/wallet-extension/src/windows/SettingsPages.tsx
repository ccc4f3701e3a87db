import { useId, useState } from 'react'
import type { Settings as Saved, WalletState } from '../messages.ts'
import { AccountSettings } from './AccountSettings.tsx'
import { Brand } from './Icon.tsx'
import { Names } from './Names.tsx'
import { Networks } from './Networks.tsx'
import { Pins } from './Pins.tsx'
import { Button, Field, Problem } from './parts.tsx'
import { Sites } from './Sites.tsx'
import { useText } from './useText.tsx'
import { useAction } from './useWorker.tsx'

const pages = ['pins', 'accounts', 'sites', 'names', 'networks', 'general'] as const
type Page = (typeof pages)[number]

export function SettingsPages(props: { state: WalletState }) {
  const { text } = useText()
  const [page, setPage] = useState<Page>('pins')
  return (
    <div className="settings">
      <header className="row">
        <Brand />
        <h1>{text('settings.title')}</h1>
      </header>
      <nav className="settings-pages" aria-label={text('settings.title')}>
        {pages.map((one) => (
          <button
            key={one}
            type="button"
            aria-current={page === one ? 'page' : undefined}
            onClick={() => setPage(one)}
          >
            {text(`settings.${one}`)}
          </button>
        ))}
      </nav>
      <main className="stack">
        <Content page={page} state={props.state} />
      </main>
    </div>
  )
}

function Content(props: { page: Page; state: WalletState }) {
  const { page, state } = props
  const { accounts, networks, settings } = state
  switch (page) {
    case 'pins':
      return <Pins networks={networks} />
    case 'accounts':
      return <AccountSettings accounts={accounts} />
    case 'sites':
      return <Sites accounts={accounts} networks={networks} />
    case 'names':
      return <Names />
    case 'networks':
      return <Networks networks={networks} />
    case 'general':
      return (
        <>
          <General settings={settings} />
          <Erase />
        </>
      )
  }
}

const minutes = [5, 15, 30, 60, 240]

function General(props: { settings: Saved }) {
  const { settings } = props
  const { text } = useText()
  const { ask, run, failure } = useAction()
  const save = (changed: Partial<Saved>) => run(() => ask('saveSettings', changed))
  return (
    <section className="stack">
      <h2>{text('settings.general')}</h2>
      <Field label={text('settings.lock')} hint={text('settings.lockHint')}>
        {(control) => (
          <select
            {...control}
            value={settings.lockAfterMinutes}
            onChange={({ target }) => save({ lockAfterMinutes: Number(target.value) })}
          >
            {[...new Set([...minutes, settings.lockAfterMinutes])]
              .sort((one, other) => one - other)
              .map((count) => (
                <option key={count} value={count}>
                  {text('settings.minutes', { count })}
                </option>
              ))}
          </select>
        )}
      </Field>
      <Field label={text('settings.language')}>
        {(control) => (
          <select
            {...control}
            value={settings.language ?? ''}
            // Only the values of the options below occur.
            onChange={({ target }) => save({ language: (target.value || undefined) as Saved['language'] })}
          >
            <option value="">{text('settings.browserLanguage')}</option>
            <option value="en">English</option>
            <option value="pt-BR">Português</option>
          </select>
        )}
      </Field>
      <Field label={text('settings.theme')}>
        {(control) => (
          <select
            {...control}
            value={settings.theme ?? ''}
            // Only the values of the options below occur.
            onChange={({ target }) => save({ theme: (target.value || undefined) as Saved['theme'] })}
          >
            <option value="">{text('settings.systemTheme')}</option>
            <option value="light">{text('settings.light')}</option>
            <option value="dark">{text('settings.dark')}</option>
          </select>
        )}
      </Field>
      <Problem text={failure && text(`failure.${failure.code}`)} />
    </section>
  )
}

function Erase() {
  const { text } = useText()
  const { ask, run, isRunning } = useAction()
  const [typed, setTyped] = useState('')
  const id = useId()
  const word = text('erase.word')
  return (
    <details className="disclosure card">
      <summary>{text('erase.title')}</summary>
      <form
        className="stack"
        aria-labelledby={id}
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() === word) run(() => ask('eraseVault', {}))
        }}
      >
        <p id={id}>{text('erase.body')}</p>
        <Field label={text('erase.type', { word })}>
          {(control) => (
            <input
              {...control}
              value={typed}
              autoComplete="off"
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        <Button type="submit" isDisabled={isRunning || typed.trim() !== word}>
          {text('erase.submit')}
        </Button>
      </form>
    </details>
  )
}
