// The shelf in the browser's storage: a database, because a scene may be larger than what fits anywhere else.

import type { Shelf, Work } from './keeper';

const STORE = 'work';

const answered = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('it does not answer'));
  });

/** Opened anew by every call: what was forbidden or full a moment ago may be allowed now. */
const opened = (): Promise<IDBDatabase> => {
  const request = indexedDB.open('linkwork', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
  return answered(request);
};

/** Does something to the store, and waits until it lasts. */
const within = async <T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
  const database = await opened();
  try {
    const transaction = database.transaction(STORE, mode);
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('it stopped half way'));
    });
    const [value] = await Promise.all([answered(act(transaction.objectStore(STORE))), done]);
    return value;
  } finally {
    database.close();
  }
};

export const shelf: Shelf = {
  all: () => within<Work[]>('readonly', (store) => store.getAll()),
  get: async (id) => (await within<Work | undefined>('readonly', (store) => store.get(id))) ?? null,
  put: async (work) => {
    await within('readwrite', (store) => store.put(work));
  },
  remove: async (id) => {
    await within('readwrite', (store) => store.delete(id));
  },
};
