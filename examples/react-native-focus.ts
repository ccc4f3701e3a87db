import { focusManager, onlineManager } from '@tanstack/react-query'

/** The required parts of React Native: `AppState`, and a connection such as `@react-native-community/netinfo`. */
type App = {
  appState: {
    addEventListener(event: 'change', listener: (status: string) => void): { remove(): void }
  }
  netInfo: { addEventListener(listener: (state: { isConnected: boolean | null }) => void): () => void }
}

/** Makes TanStack Query check redeems while the app is shown and online, as it does in a browser. Call it once. */
export function followApp({ appState, netInfo }: App): () => void {
  const focus = appState.addEventListener('change', (status) => focusManager.setFocused(status === 'active'))
  onlineManager.setEventListener((setOnline) =>
    netInfo.addEventListener(({ isConnected }) => setOnline(isConnected === true)),
  )
  return () => focus.remove()
}
