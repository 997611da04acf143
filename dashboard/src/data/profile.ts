import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'

/** The signed-in person, with the permissions of the role. */
export function useProfile() {
  return useQuery({
    queryKey: ['profile'],
    queryFn: ({ signal }) => client.auth.profile({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Whether the signed-in person has a permission; false until it is known. */
export function useMay(permission: string): boolean {
  const { data } = useProfile()
  return data?.permissions.includes(permission) ?? false
}
