// What scripts take for granted: whoever asks for an element, or hears of an event, knows what it is.

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Document {
  getElementById(id: string): any;
}

interface EventTarget {
  checked: any;
  dataset: any;
  form: any;
  id: any;
  type: any;
  value: any;
  blur(): void;
  closest(selectors: string): any;
  matches(selectors: string): boolean;
  querySelector(selectors: string): any;
}

interface Event {
  data: any;
  detail: any;
  notification: any;
  waitUntil(done: Promise<unknown>): void;
}

interface Window {
  clients: any;
  registration: any;
}
