import { ApprovalWindow, openWindow, PopupWindow, SettingsWindow } from './windows.tsx'

const windows: Readonly<Record<string, typeof PopupWindow>> = {
  popup: PopupWindow,
  approval: ApprovalWindow,
  settings: SettingsWindow,
}

// Each window's page has the window's name as the class of its body.
const Window = windows[document.body.className]
if (Window === undefined) throw new Error('The page names no window.')
openWindow((worker) => <Window worker={worker} />)
