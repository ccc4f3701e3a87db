import { openWindow } from './openWindow.tsx'
import { PopupWindow } from './windows.tsx'

openWindow((worker) => <PopupWindow worker={worker} />)
