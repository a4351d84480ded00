/**
 * Toasts are echoes: what they say also stands in the page or in Activity.
 * One toast per operation, changed in place.
 */
export function notify(id: string, tone: "info" | "ok" | "bad", message: string): void {
  // Loaded on the first use: no page needs it to show itself.
  import("react-toastify/unstyled").then(
    ({ toast }) => {
      const options = {
        toastId: id,
        type: ({ info: "info", ok: "success", bad: "error" } as const)[tone],
        role: tone === "bad" ? "alert" : "status",
        autoClose: 5000,
      } as const;
      if (toast.isActive(id)) toast.update(id, { ...options, render: message });
      else toast(message, options);
    },
    () => undefined, // an echo that could not be loaded is no loss
  );
}
