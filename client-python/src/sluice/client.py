"""The client."""

from __future__ import annotations

import copy
import dataclasses
import random as random_numbers
import ssl
import time
from typing import Callable, Literal, Optional, TypeVar

from ._generated import GeneratedClient
from ._request import read_base_url
from ._transport import Credential, RequestReport, Transport, check_limits

Self = TypeVar("Self", bound="Client")


class Client(GeneratedClient):
    """The operations of Sluice. Threads may share a client."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: Optional[Credential] = None,
        access_token: Optional[Credential] = None,
        retries: int = 2,
        timeout: float = 30.0,
        ssl_context: Optional[ssl.SSLContext] = None,
        on_request: Optional[Callable[[RequestReport], None]] = None,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random_numbers.random,
    ) -> None:
        """Raises ValueError or TypeError if an argument is invalid.

        Args:
            base_url: The address of the service, for example `https://sluice.example.com`.
            api_key: The organization's key, or a function that returns it. For servers.
            access_token: A user's token from `post_login`, or a function that returns it.
            retries: How often a call is repeated if that is safe: 0 to 10.
            timeout: The timeout of one attempt in seconds.
            ssl_context: For a private certificate authority.
            on_request: Called after every attempt, for logs and metrics; its errors are ignored.
            sleep: Waits for some seconds; for tests.
            random: Returns a number from 0 to 1; for tests.
        """
        if api_key is not None and access_token is not None:
            raise TypeError("set api_key or access_token, not both")
        check_limits(timeout, retries)
        address = read_base_url(base_url)
        is_encrypted = address.startswith("https")
        self._if_duplicate: Literal["raise", "return"] = "raise"
        self._transport = Transport(
            base_url=address,
            credential_kind="access_token" if api_key is None else "api_key",
            credential=access_token if api_key is None else api_key,
            timeout=timeout,
            retries=retries,
            tls=(ssl_context or ssl.create_default_context()) if is_encrypted else None,
            on_request=on_request,
            sleep=sleep,
            random=random,
        )

    def with_options(
        self: Self,
        *,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
        if_duplicate: Optional[Literal["raise", "return"]] = None,
    ) -> Self:
        """The same client with other options: `client.with_options(retries=0).get_chains()`.

        Args:
            timeout: The timeout of one attempt in seconds.
            retries: How often a call is repeated if that is safe: 0 to 10.
            if_duplicate: The result of `post_withdrawals` if a withdrawal with the same reference
                and parameters exists. `raise` (the default) raises DUPLICATE_REFERENCE, unless an
                earlier attempt of the same call may have created it. `return` always returns the
                existing withdrawal, so a program that died before it stored the answer can repeat
                the call.
        """
        transport = self._transport
        chosen_timeout = transport.timeout if timeout is None else timeout
        chosen_retries = transport.retries if retries is None else retries
        check_limits(chosen_timeout, chosen_retries)
        other = copy.copy(self)
        other._transport = dataclasses.replace(
            transport, timeout=chosen_timeout, retries=chosen_retries
        )
        if if_duplicate is not None:
            other._if_duplicate = if_duplicate
        return other
