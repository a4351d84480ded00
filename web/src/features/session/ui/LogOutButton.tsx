import { useLingui } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Button } from "@/shared/ui/Button";
import { logOut } from "../actions";
import { tellTabs } from "../tabs";

/** Ends the session here and in the other tabs. */
export function LogOutButton() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: async () => {
      tellTabs(null);
      await logOut();
      await navigate({ to: "/" });
    },
  });
  return (
    <Button busy={leave.isPending} onClick={() => leave.mutate()}>
      {t`Log out`}
    </Button>
  );
}
