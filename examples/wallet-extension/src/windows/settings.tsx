import { openWindow } from './openWindow.tsx'
import { SettingsWindow } from './windows.tsx'

openWindow((worker) => <SettingsWindow worker={worker} />)
