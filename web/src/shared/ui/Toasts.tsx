import { Slide, ToastContainer } from "react-toastify/unstyled";

/** Where toasts appear: top right, for 5 seconds, reached with Alt+T. */
export default function Toasts() {
  return (
    <ToastContainer
      position="top-right"
      autoClose={5000}
      newestOnTop
      pauseOnHover
      pauseOnFocusLoss
      transition={Slide}
      theme="light"
    />
  );
}
